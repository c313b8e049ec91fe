import type { Metadata } from 'next';
import { MatrixPage } from '@/app/_matrix/matrix-page';

export const metadata: Metadata = { title: 'What works where' };

export default function Page() {
  return <MatrixPage />;
}
