import type { Metadata } from 'next';
import { SignInForm } from '@/app/_account/sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

interface SignInPageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next } = await searchParams;
  return <SignInForm next={typeof next === 'string' ? next : null} />;
}
