import type { Metadata } from 'next';
import { ResetForm } from '@/app/_account/reset-form';

export const metadata: Metadata = { title: 'New password', referrer: 'no-referrer' };

export default async function Page({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return <ResetForm token={token} />;
}
