'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ApiOutputs } from '@/app/_trpc/api';
import { Brand } from '@/app/_ui/brand';
import { cn } from '@/app/_ui/cn';
import { ThemeToggle } from '@/app/_ui/theme-toggle';
import { UserMenu } from './user-menu';

const SECTIONS = [
  { href: '/pipelines', label: 'Pipelines' },
  { href: '/experiments', label: 'Experiments' },
  { href: '/workers', label: 'Workers' },
  { href: '/measure', label: 'Measure an endpoint' },
  { href: '/matrix', label: 'Matrix' },
  { href: '/claims', label: 'Claims' },
] as const;

/** The header of every signed-in page; on a phone the sections scroll sideways under the name. */
export function AppHeader({ me }: { me: ApiOutputs['me']['get'] | null }) {
  const pathname = usePathname();
  return (
    <header className="flex flex-wrap items-center gap-x-4 border-b bg-panel px-3 sm:h-11 sm:flex-nowrap">
      <Link href="/pipelines" className="flex h-11 items-center rounded-md">
        <Brand />
      </Link>
      <nav
        aria-label="Sections"
        className="order-last -mx-1 flex w-full gap-0.5 overflow-x-auto pb-1.5 sm:order-none sm:w-auto sm:pb-0"
      >
        {SECTIONS.map(({ href, label }) => {
          const here = pathname === href || pathname.startsWith(`${href}/`);
          return (
            <Link
              key={href}
              href={href}
              aria-current={here ? 'page' : undefined}
              className={cn(
                'rounded-md px-2 py-1 whitespace-nowrap',
                here ? 'bg-grid text-ink' : 'text-dim hover:text-ink',
              )}
            >
              {label}
            </Link>
          );
        })}
      </nav>
      <div className="ml-auto flex items-center gap-1">
        <ThemeToggle />
        {me ? <UserMenu me={me} /> : null}
      </div>
    </header>
  );
}
