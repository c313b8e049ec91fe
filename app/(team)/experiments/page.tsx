import type { Metadata } from 'next';
import { ExperimentsPage } from '@/app/_runs/list/experiments-page';

export const metadata: Metadata = { title: 'Experiments' };

export default function Page() {
  return <ExperimentsPage />;
}
