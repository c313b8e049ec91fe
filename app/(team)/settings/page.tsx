import type { Metadata } from 'next';
import { SettingsPage } from '@/app/_settings/settings-page';

export const metadata: Metadata = { title: 'Settings' };

export default function Page() {
  return <SettingsPage />;
}
