'use client';

import { useEffect, useState } from 'react';

/** The time, once a second while `ticking`. Null until the browser has drawn: the server's clock is not the viewer's. */
export function useNow(ticking: boolean): Date | null {
  const [now, setNow] = useState<Date | null>(null);
  useEffect(() => {
    setNow(new Date());
    if (!ticking) return;
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
