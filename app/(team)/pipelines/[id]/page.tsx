import type { Metadata } from 'next';
import { BuilderPage } from '@/app/_builder/builder-page';

export const metadata: Metadata = { title: 'Builder' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <BuilderPage key={id} id={id} />;
}
