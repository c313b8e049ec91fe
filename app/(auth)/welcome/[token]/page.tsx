import type { Metadata } from 'next';
import { OwnerForm } from '@/app/_account/owner-form';

export const metadata: Metadata = { title: 'Welcome', referrer: 'no-referrer' };

export default async function WelcomePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return <OwnerForm token={token} />;
}
