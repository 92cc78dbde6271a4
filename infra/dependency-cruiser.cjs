// The one-way flow of ARCHITECTURE.md, as rules.

/** Rules and figures only: no part of the outside world. */
const PURE = '^services/(insights/src/rules/[^/]+|functions/src/(catalog/(validate|variables)|onward/redact))\\.ts$'

/** The folders of `root`, lowest first: each may import only those before it. */
function roomsInOneDirection(root, rooms) {
  return rooms.slice(0, -1).map((room, index) => ({
    name: `${root}/${room}-imports-lower-rooms-only`,
    severity: 'error',
    from: { path: `^${root}/${room}/` },
    to: { path: `^${root}/(${rooms.slice(index + 1).join('|')})/` },
  }))
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['(^|/)main\\.ts$', '\\.cjs$', '^packages/dev-env/src/test\\.ts$', '^packages/contract/src/'] },
      to: {},
    },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'services-apart',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-below-services',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/(dev-env|bench)/' },
      to: { path: '^services/' },
    },
    {
      name: 'contract-alone',
      severity: 'error',
      from: { path: '^packages/contract/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/contract/src' },
    },
    {
      name: 'catalog-alone',
      severity: 'error',
      from: { path: '^packages/catalog/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/catalog/src' },
    },
    ...roomsInOneDirection('packages/catalog/src', ['values', 'template', 'auth', 'file', 'paging', 'request', 'function']),
    ...roomsInOneDirection('packages/openapi/src', ['documents', 'schema', 'function']),
    ...roomsInOneDirection('packages/openapi/src', ['documents', 'app']),
    ...roomsInOneDirection('packages/openapi/src', ['documents', 'names']),
    {
      name: 'openapi-on-catalog-only',
      severity: 'error',
      from: { path: '^packages/openapi/(src|conformance)' },
      to: { path: '^(packages|services)/', pathNot: '^packages/(catalog/|contract/|openapi/(src|conformance))' },
    },
    {
      name: 'services-never-import-openapi',
      severity: 'error',
      comment: 'The importer serves the command line; a service that starts does not load it.',
      from: { path: '^(services|packages/(catalog|predict|runtime|client)/src)' },
      to: { path: '^packages/openapi/' },
    },
    {
      name: 'predict-on-catalog-only',
      severity: 'error',
      from: { path: '^packages/predict/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/(catalog/|predict/src)' },
    },
    {
      name: 'runtime-and-client-on-contract-only',
      severity: 'error',
      from: { path: '^packages/(runtime|client)/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/(contract/|$1/src)' },
    },
    {
      name: 'testbed-in-tests-only',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: '^packages/(testbed|dev-env|bench)/' },
      to: { path: '^packages/testbed/' },
    },
    {
      name: 'express-at-the-edge',
      severity: 'error',
      from: { path: '^services/[^/]+/src/', pathNot: 'src/(app|auth)\\.ts$|src/routes/|src/main\\.ts$' },
      to: { path: 'node_modules/express/' },
    },
    {
      name: 'db-at-the-bottom',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/db/' },
      to: { path: '^services/$1/src/', pathNot: '^services/$1/src/db/' },
    },
    {
      name: 'call-stages-are-siblings',
      severity: 'error',
      comment: 'Only call.ts knows the order of the stages.',
      from: { path: '^services/functions/src/(call/resolve|catalog/(validate|variables))\\.ts$' },
      to: {
        path: '^services/functions/src/call/(call|call-once|resolve|record|ledger|relay|sweep)\\.ts$',
      },
    },
    {
      name: 'insights-lower-rooms',
      severity: 'error',
      comment: 'The order of the rooms: routes, maintenance, usage, then blocking and webhooks, then rules.',
      from: { path: '^services/insights/src/(rules|blocking|webhooks)/' },
      to: { path: '^services/insights/src/(blocking|webhooks|usage|maintenance|routes)/', pathNot: '^services/insights/src/$1/' },
    },
    {
      name: 'insights-upper-rooms',
      severity: 'error',
      from: { path: '^services/insights/src/(usage|maintenance)/' },
      to: { path: '^services/insights/src/(maintenance|routes)/', pathNot: '^services/insights/src/$1/' },
    },
    {
      name: 'insights-stages-declare-their-parts',
      severity: 'error',
      from: { path: '^services/insights/src/(rules|blocking|webhooks|usage|maintenance)/' },
      to: { path: '^services/insights/src/(context|open-context)\\.ts$' },
    },
    {
      name: 'parts-are-made-in-one-place',
      severity: 'error',
      comment: 'Connections, queues and clients are made by runtime, for context.ts.',
      from: { path: '^services/[^/]+/src/' },
      to: { path: 'node_modules/(pg|bullmq|ioredis|axios|undici)/' },
    },
    {
      name: 'pure-stays-pure',
      severity: 'error',
      from: { path: PURE },
      to: { path: 'node_modules/(express|pg|kysely|bullmq|ioredis|axios|undici)/|^services/[^/]+/src/(db|routes)/|src/context\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Anchored: without it the entry files of packages that live in a dist folder would be left out, and the bans on them never fire.
    exclude: { path: '^(packages|services)/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'],
    },
  },
}
