import type { Metadata } from 'next';
import { ExperimentPage } from '@/app/_runs/experiment-page';

export const metadata: Metadata = { title: 'Experiment' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <ExperimentPage id={id} />;
}
