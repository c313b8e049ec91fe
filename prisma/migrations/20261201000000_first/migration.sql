-- CreateEnum
CREATE TYPE "experiment_state" AS ENUM ('queued', 'running', 'succeeded', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "block_state" AS ENUM ('queued', 'running', 'succeeded', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "attempt_state" AS ENUM ('running', 'succeeded', 'failed', 'lost', 'cancelled');

-- CreateEnum
CREATE TYPE "trial_state" AS ENUM ('queued', 'claimed', 'preparing', 'starting', 'warming', 'measuring', 'evaluating', 'stopping', 'succeeded', 'failed', 'cancelled', 'lost');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'editor', 'viewer');

-- CreateEnum
CREATE TYPE "link_kind" AS ENUM ('owner', 'invitation', 'password_reset');

-- CreateEnum
CREATE TYPE "token_kind" AS ENUM ('api_key', 'worker');

-- CreateEnum
CREATE TYPE "actor_kind" AS ENUM ('user', 'api_key', 'worker', 'system');

-- CreateTable
CREATE TABLE "user" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "token" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "userId" TEXT NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "providerId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "accessToken" TEXT,
    "refreshToken" TEXT,
    "idToken" TEXT,
    "accessTokenExpiresAt" TIMESTAMPTZ(3),
    "refreshTokenExpiresAt" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "experiment" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "pipelineId" UUID,
    "pipelineRevision" INTEGER,
    "title" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "spec" JSONB NOT NULL,
    "pipelineHash" TEXT NOT NULL,
    "seed" BIGINT NOT NULL,
    "state" "experiment_state" NOT NULL DEFAULT 'queued',
    "cancelRequestedAt" TIMESTAMPTZ(3),
    "fingerprint" TEXT,
    "requirements" TEXT[],
    "gpus" INTEGER NOT NULL DEFAULT 0,
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "findings" JSONB NOT NULL,
    "sentence" TEXT,
    "stamp" TEXT,
    "createdBy" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "experiment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "arm" (
    "teamId" UUID NOT NULL,
    "experimentId" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "deployment" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "planHash" TEXT NOT NULL,
    "launchHash" TEXT NOT NULL,
    "isBaseline" BOOLEAN NOT NULL,

    CONSTRAINT "arm_pkey" PRIMARY KEY ("experimentId","index")
);

-- CreateTable
CREATE TABLE "block" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "experimentId" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "state" "block_state" NOT NULL DEFAULT 'queued',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "runsLeft" INTEGER NOT NULL DEFAULT 2,
    "cause" JSONB,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "block_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempt" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "blockId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "workerId" UUID NOT NULL,
    "state" "attempt_state" NOT NULL DEFAULT 'running',
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
    "lastAgentSeq" INTEGER NOT NULL DEFAULT 0,
    "cause" JSONB,
    "claimedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "trial" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "experimentId" UUID NOT NULL,
    "blockId" UUID NOT NULL,
    "attemptNumber" INTEGER NOT NULL,
    "attemptId" UUID,
    "armIndex" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "state" "trial_state" NOT NULL DEFAULT 'queued',
    "superseded" BOOLEAN NOT NULL DEFAULT false,
    "outcome" JSONB,
    "digest" TEXT,
    "valid" BOOLEAN,
    "effective" JSONB,
    "logTail" TEXT[],
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "trial_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "point" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "trialId" UUID NOT NULL,
    "workload" TEXT NOT NULL,
    "loadIndex" INTEGER NOT NULL,
    "summary" JSONB,
    "seconds" BYTEA,
    "records" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "point_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stream" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "experimentId" UUID NOT NULL,
    "seq" INTEGER NOT NULL DEFAULT 0,
    "shrunkAt" TIMESTAMPTZ(3),

    CONSTRAINT "stream_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "teamId" UUID NOT NULL,
    "streamId" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "attemptId" UUID,
    "agentSeq" INTEGER,
    "trialId" UUID,
    "body" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_pkey" PRIMARY KEY ("streamId","seq")
);

-- CreateTable
CREATE TABLE "pipeline" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "createdBy" TEXT,
    "updatedBy" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "pipeline_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pipeline_version" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "pipelineId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT,
    "document" JSONB NOT NULL,
    "createdBy" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pipeline_version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "team" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "lastExperimentNumber" INTEGER NOT NULL DEFAULT 0,
    "rawRetentionDays" INTEGER NOT NULL DEFAULT 90,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "team_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "member" (
    "teamId" UUID NOT NULL,
    "userId" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_pkey" PRIMARY KEY ("teamId","userId")
);

-- CreateTable
CREATE TABLE "one_time_link" (
    "id" UUID NOT NULL,
    "kind" "link_kind" NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "teamId" UUID,
    "role" "role",
    "userId" TEXT,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "spentAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "one_time_link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "token" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "kind" "token_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "role" "role",
    "scopes" TEXT[],
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "createdBy" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secret" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "createdBy" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "actorKind" "actor_kind" NOT NULL,
    "actorId" TEXT,
    "actorName" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subjectKind" TEXT NOT NULL,
    "subjectId" TEXT,
    "detail" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "worker" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "tokenId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "agentVersion" TEXT NOT NULL,
    "protocolVersion" INTEGER NOT NULL,
    "host" JSONB NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "capabilities" TEXT[],
    "gpus" INTEGER NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artifact" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "sha256" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "mediaType" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifact_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_key" ON "session"("token");

-- CreateIndex
CREATE INDEX "session_userId_idx" ON "session"("userId");

-- CreateIndex
CREATE INDEX "account_userId_idx" ON "account"("userId");

-- CreateIndex
CREATE INDEX "verification_identifier_idx" ON "verification"("identifier");

-- CreateIndex
CREATE INDEX "experiment_teamId_pipelineId_idx" ON "experiment"("teamId", "pipelineId");

-- CreateIndex
CREATE INDEX "experiment_teamId_state_idx" ON "experiment"("teamId", "state");

-- CreateIndex
CREATE UNIQUE INDEX "experiment_teamId_id_key" ON "experiment"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "experiment_teamId_number_key" ON "experiment"("teamId", "number");

-- CreateIndex
CREATE INDEX "arm_teamId_planHash_idx" ON "arm"("teamId", "planHash");

-- CreateIndex
CREATE INDEX "block_teamId_state_idx" ON "block"("teamId", "state");

-- CreateIndex
CREATE UNIQUE INDEX "block_teamId_id_key" ON "block"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "block_experimentId_index_key" ON "block"("experimentId", "index");

-- CreateIndex
CREATE INDEX "attempt_state_leaseUntil_idx" ON "attempt"("state", "leaseUntil");

-- CreateIndex
CREATE INDEX "attempt_workerId_state_idx" ON "attempt"("workerId", "state");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_teamId_id_key" ON "attempt"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_blockId_number_key" ON "attempt"("blockId", "number");

-- CreateIndex
CREATE INDEX "trial_experimentId_armIndex_idx" ON "trial"("experimentId", "armIndex");

-- CreateIndex
CREATE UNIQUE INDEX "trial_teamId_id_key" ON "trial"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "trial_blockId_attemptNumber_armIndex_key" ON "trial"("blockId", "attemptNumber", "armIndex");

-- CreateIndex
CREATE INDEX "point_teamId_trialId_idx" ON "point"("teamId", "trialId");

-- CreateIndex
CREATE UNIQUE INDEX "point_trialId_workload_loadIndex_key" ON "point"("trialId", "workload", "loadIndex");

-- CreateIndex
CREATE UNIQUE INDEX "stream_experimentId_key" ON "stream"("experimentId");

-- CreateIndex
CREATE UNIQUE INDEX "stream_teamId_id_key" ON "stream"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "stream_teamId_experimentId_key" ON "stream"("teamId", "experimentId");

-- CreateIndex
CREATE INDEX "event_trialId_idx" ON "event"("trialId");

-- CreateIndex
CREATE UNIQUE INDEX "event_attemptId_agentSeq_key" ON "event"("attemptId", "agentSeq");

-- CreateIndex
CREATE INDEX "pipeline_teamId_updatedAt_id_idx" ON "pipeline"("teamId", "updatedAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "pipeline_teamId_id_key" ON "pipeline"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "pipeline_version_teamId_id_key" ON "pipeline_version"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "pipeline_version_pipelineId_number_key" ON "pipeline_version"("pipelineId", "number");

-- CreateIndex
CREATE INDEX "member_userId_idx" ON "member"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "one_time_link_tokenHash_key" ON "one_time_link"("tokenHash");

-- CreateIndex
CREATE INDEX "one_time_link_teamId_idx" ON "one_time_link"("teamId");

-- CreateIndex
CREATE UNIQUE INDEX "token_hash_key" ON "token"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "token_teamId_id_key" ON "token"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "secret_teamId_name_key" ON "secret"("teamId", "name");

-- CreateIndex
CREATE INDEX "audit_entry_teamId_id_idx" ON "audit_entry"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "worker_teamId_id_key" ON "worker"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "worker_tokenId_name_key" ON "worker"("tokenId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "artifact_teamId_id_key" ON "artifact"("teamId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "artifact_teamId_sha256_key" ON "artifact"("teamId", "sha256");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "experiment" ADD CONSTRAINT "experiment_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "experiment" ADD CONSTRAINT "experiment_teamId_pipelineId_fkey" FOREIGN KEY ("teamId", "pipelineId") REFERENCES "pipeline"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "arm" ADD CONSTRAINT "arm_teamId_experimentId_fkey" FOREIGN KEY ("teamId", "experimentId") REFERENCES "experiment"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "block" ADD CONSTRAINT "block_teamId_experimentId_fkey" FOREIGN KEY ("teamId", "experimentId") REFERENCES "experiment"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_teamId_blockId_fkey" FOREIGN KEY ("teamId", "blockId") REFERENCES "block"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_teamId_workerId_fkey" FOREIGN KEY ("teamId", "workerId") REFERENCES "worker"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trial" ADD CONSTRAINT "trial_teamId_experimentId_fkey" FOREIGN KEY ("teamId", "experimentId") REFERENCES "experiment"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trial" ADD CONSTRAINT "trial_teamId_blockId_fkey" FOREIGN KEY ("teamId", "blockId") REFERENCES "block"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trial" ADD CONSTRAINT "trial_teamId_attemptId_fkey" FOREIGN KEY ("teamId", "attemptId") REFERENCES "attempt"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "point" ADD CONSTRAINT "point_teamId_trialId_fkey" FOREIGN KEY ("teamId", "trialId") REFERENCES "trial"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stream" ADD CONSTRAINT "stream_teamId_experimentId_fkey" FOREIGN KEY ("teamId", "experimentId") REFERENCES "experiment"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_teamId_streamId_fkey" FOREIGN KEY ("teamId", "streamId") REFERENCES "stream"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipeline" ADD CONSTRAINT "pipeline_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipeline_version" ADD CONSTRAINT "pipeline_version_teamId_pipelineId_fkey" FOREIGN KEY ("teamId", "pipelineId") REFERENCES "pipeline"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "one_time_link" ADD CONSTRAINT "one_time_link_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "token" ADD CONSTRAINT "token_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "secret" ADD CONSTRAINT "secret_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "worker" ADD CONSTRAINT "worker_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "worker" ADD CONSTRAINT "worker_teamId_tokenId_fkey" FOREIGN KEY ("teamId", "tokenId") REFERENCES "token"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

