import { handleAuth } from '@/server/auth/routes';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';
export { handleAuth as GET, handleAuth as POST };
