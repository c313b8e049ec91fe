'use client';

import { useEffect, useState } from 'react';
import { formatAgo, formatDate } from './format';

/** A time that ages by itself; the full date is its title. Drawn in the browser only, in the viewer's zone. */
export function Ago({ at }: { at: Date | string }) {
  const [now, setNow] = useState<Date | null>(null);
  useEffect(() => {
    setNow(new Date());
    const timer = setInterval(() => setNow(new Date()), 5000);
    return () => clearInterval(timer);
  }, []);
  const date = typeof at === 'string' ? new Date(at) : at;
  return (
    <time dateTime={date.toISOString()} title={now ? formatDate(date) : undefined}>
      {now ? formatAgo(date, now) : ''}
    </time>
  );
}
