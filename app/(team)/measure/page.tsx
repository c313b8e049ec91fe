import type { Metadata } from 'next';
import { MeasurePage } from '@/app/_measure/measure-page';

export const metadata: Metadata = { title: 'Measure an endpoint' };

export default function Page() {
  return <MeasurePage />;
}
