import type { Metadata } from 'next';
import { JoinForm } from '@/app/_account/join-form';

export const metadata: Metadata = { title: 'Join the team', referrer: 'no-referrer' };

export default async function Page({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return <JoinForm token={token} />;
}
