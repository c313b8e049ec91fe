import type { ReactNode } from 'react';
import { Brand } from '../_ui/brand';
import { ThemeToggle } from '../_ui/theme-toggle';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-11 items-center justify-between px-4">
        <Brand />
        <ThemeToggle />
      </header>
      <main className="grid flex-1 place-content-center px-4 pb-24">{children}</main>
    </div>
  );
}
