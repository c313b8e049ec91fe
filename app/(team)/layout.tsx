import type { ReactNode } from 'react';
import { TeamShell } from '@/app/_shell/team-shell';

export default function TeamLayout({ children }: { children: ReactNode }) {
  return <TeamShell>{children}</TeamShell>;
}
