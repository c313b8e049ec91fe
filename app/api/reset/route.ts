import { handleReset } from '@/server/auth/link-routes';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';
export { handleReset as POST };
