import type { Metadata } from 'next';
import { NewPipelinePage } from '@/app/_pipelines/new-pipeline-page';

export const metadata: Metadata = { title: 'New pipeline' };

export default function Page() {
  return <NewPipelinePage />;
}
