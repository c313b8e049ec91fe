import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { ThemeProvider } from 'next-themes';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { ApiProvider } from './_trpc/provider';
import { Toaster } from './_ui/toaster';
import { TooltipProvider } from './_ui/tooltip';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Inferloom', template: '%s · Inferloom' },
  description: 'Compose LLM-inference optimizations as a graph, run them on real engines, believe the numbers.',
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1 };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <body>
        <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange>
          <NuqsAdapter>
            <ApiProvider>
              <TooltipProvider>{children}</TooltipProvider>
            </ApiProvider>
          </NuqsAdapter>
          <Toaster />
        </ThemeProvider>
      </body>
    </html>
  );
}
