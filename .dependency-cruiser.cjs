/** Import directions of the project, enforced: core imports nobody; app → core; api → services → db; workers → core. */
const FORBIDDEN_IN_CORE = '^(app|workers|prisma|test|server/(api|auth|db|jobs|services|start|[a-z]+\\.ts$))';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'core-imports-nobody', severity: 'error', from: { path: '^server/core' }, to: { path: FORBIDDEN_IN_CORE } },
    {
      name: 'core-is-pure',
      comment: 'core runs in browser, server and worker alike: no node built-ins',
      severity: 'error',
      from: { path: '^server/core' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core-packages',
      severity: 'error',
      from: { path: '^server/core' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'npm-optional', 'npm-no-pkg', 'npm-unknown'],
        pathNot: '^node_modules/(zod|yaml|@noble/hashes|canonicalize|shell-quote|@types/shell-quote|@lezer/python)/',
      },
    },
    {
      name: 'app-holds-no-server',
      comment: 'pages reach the server through the API; routes under app/api are the mount points',
      severity: 'error',
      from: { path: '^app/', pathNot: '^app/(api/|_trpc/)' },
      to: { path: '^server/(?!core/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'app-trpc-types-only',
      severity: 'error',
      from: { path: '^app/_trpc/' },
      to: { path: '^server/(?!core/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'services-are-the-only-caller-of-db',
      severity: 'error',
      from: { path: '^server/(api|jobs)' },
      to: { path: '^server/db', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'db-knows-no-caller',
      severity: 'error',
      from: { path: '^server/db' },
      to: { path: '^server/(services|api|auth|jobs)' },
    },
    {
      name: 'services-know-no-api',
      severity: 'error',
      from: { path: '^server/services' },
      to: { path: '^server/(api|jobs)' },
    },
    {
      name: 'workers-hold-no-server',
      comment: 'a GPU host holds a worker token and no database: the worker router comes as a type',
      severity: 'error',
      from: { path: '^workers/', pathNot: '^workers/cli/' },
      to: { path: '^server/(?!core/)', dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-app-from-below', severity: 'error', from: { path: '^(server|workers)' }, to: { path: '^app/' } },
    {
      name: 'no-tests-from-product',
      severity: 'error',
      from: { path: '^(app|server|workers|prisma)' },
      to: { path: '^test/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^server/db/generated', '^\\.next', '^\\.build'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
