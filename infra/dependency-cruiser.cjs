// The import rules of ARCHITECTURE.md.

// The dependency-cruiser does not tell its parser which files contain JSX.
const swc = require('@swc/core')
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') })

/** The files of pure functions, which use no database, network or framework. */
const PURE = '^services/(insights/src/rules/[^/]+|functions/src/(catalog/(validate|variables)|onward/redact))\\.ts$'

/** The files of `@onward/contract/pure`. The console is built again when one of them changes (dev-env, `build-console.ts`). */
const PURE_CONTRACT = '^packages/contract/src/(accents|access|called|pure|task-hours)\\.ts$'

/** The folders ("rooms") of each service or package, from top to bottom. A folder imports only folders of the rows below its own. */
const ROOMS = {
  'services/functions/src': [
    ['routes'],
    ['mcp', 'sign-in'],
    ['approval'],
    ['call', 'connect', 'predict', 'statistics', 'docs'],
    ['onward', 'policy'],
    ['oauth'],
    ['catalog', 'blocking'],
    ['published'],
    ['db'],
  ],
  'services/insights/src': [['routes'], ['maintenance', 'people'], ['usage'], ['webhooks', 'blocking'], ['rules', 'db']],
  'packages/catalog/src': [['function'], ['request'], ['paging'], ['file'], ['auth'], ['template', 'models'], ['values']],
  'packages/openapi/src': [['function'], ['schema', 'app', 'names'], ['documents']],
  'packages/predict/src': [['ranking', 'arguments'], ['words']],
  'packages/predict/src/arguments': [['choose'], ['variables'], ['find'], ['slot']],
  'packages/dev-env/src': [['start'], ['demo', 'parts', 'sandbox']],
  'packages/console/src': [['pages'], ['parts'], ['shell', 'list'], ['embed'], ['api'], ['ui'], ['text']],
}

const roomRules = Object.entries(ROOMS).flatMap(([root, rows]) =>
  rows.flatMap((row, index) =>
    row.map((room) => ({
      name: `rooms-of-${root.split('/')[1]}`,
      severity: 'error',
      comment: `${room}/ imports only rooms below it: ${
        rows
          .slice(index + 1)
          .flat()
          .join(', ') || 'none'
      }`,
      from: { path: `^${root}/${room}/` },
      to: {
        path: `^${root}/(${rows
          .slice(0, index + 1)
          .flat()
          .join('|')})/`,
        pathNot: `^${root}/${room}/`,
      },
    })),
  ),
)

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'no-room-cycles',
      severity: 'error',
      comment: 'Two folders do not import each other, by type or by value, even when no two of their files do.',
      scope: 'folder',
      from: { path: '^(packages|services)/[^/]+/src/' },
      to: { circular: true },
    },
    {
      name: 'composition-root',
      severity: 'error',
      comment: 'Only the start opens the parts. Everything else receives the parts that it uses.',
      from: { path: '^services/[^/]+/src/', pathNot: '/src/(start|index)\\.ts$' },
      to: { path: '/src/open-context\\.ts$' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '(^|/)main\\.tsx?$',
          '\\.cjs$',
          '^packages/dev-env/src/test\\.ts$',
          '^packages/contract/src/',
          '^packages/console/public/',
          '^packages/client/src/(browser|react)\\.ts$',
        ],
      },
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
      from: { path: '^packages/', pathNot: '^packages/(dev-env|lab)/' },
      to: { path: '^services/' },
    },
    {
      name: 'contract-alone',
      severity: 'error',
      from: { path: '^packages/contract/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/contract/src' },
    },
    {
      name: 'pure-contract-without-schemas',
      severity: 'error',
      comment: 'A browser loads it. The schemas are large. Of a message, it has the type.',
      from: { path: PURE_CONTRACT },
      to: { path: '^packages/contract/src/', pathNot: [PURE_CONTRACT, '^packages/contract/src/messages/task-hours\\.ts$'] },
    },
    {
      name: 'json-alone',
      severity: 'error',
      from: { path: '^packages/json/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/json/src' },
    },
    {
      name: 'texts-alone',
      severity: 'error',
      from: { path: '^packages/texts/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/texts/src' },
    },
    {
      name: 'catalog-alone',
      severity: 'error',
      from: { path: '^packages/catalog/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/(catalog|json)/src' },
    },
    {
      name: 'openapi-on-catalog-only',
      severity: 'error',
      from: { path: '^packages/openapi/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/(catalog/|contract/|openapi/src)' },
    },
    {
      name: 'services-never-import-openapi',
      severity: 'error',
      comment: 'Only the command line and the process that converts a document load the importer.',
      from: {
        path: '^(services|packages/(catalog|predict|runtime|contract-client)/src)',
        pathNot: '^services/functions/src/import-worker\\.ts$',
      },
      to: { path: '^packages/openapi/' },
    },
    {
      name: 'predict-on-catalog-only',
      severity: 'error',
      from: { path: '^packages/predict/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/(catalog/|json/|predict/src)' },
    },
    {
      name: 'client-alone',
      severity: 'error',
      comment: 'Customers install the client, which has no dependency but the optional React, and runs without Node.',
      from: { path: '^packages/client/src' },
      to: { pathNot: '^(packages/client/src|node_modules/.pnpm/react@)' },
    },
    {
      name: 'console-pages-apart',
      severity: 'error',
      comment: 'What several pages share is in parts/.',
      from: { path: '^packages/console/src/pages/([^/]+)/' },
      to: { path: '^packages/console/src/pages/', pathNot: '^packages/console/src/pages/$1/' },
    },
    {
      name: 'console-on-contract-only',
      severity: 'error',
      comment: 'Of the contract, the console imports types and the values of `pure`: its build refuses anything else.',
      from: { path: '^packages/console/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/(console|contract|contract-client|json|texts)/src' },
    },
    {
      name: 'runtime-and-client-on-contract-only',
      severity: 'error',
      from: { path: '^packages/(runtime|contract-client)/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/(contract/|json/|$1/src)' },
    },
    {
      name: 'access-on-runtime-and-contract-only',
      severity: 'error',
      from: { path: '^packages/access/src' },
      to: { path: '^(packages|services)/', pathNot: '^packages/(access/src|contract/|runtime/)' },
    },
    {
      name: 'testbed-in-tests-only',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: '^packages/(testbed|dev-env|lab)/' },
      to: { path: '^packages/testbed/' },
    },
    {
      name: 'express-at-the-edge',
      severity: 'error',
      from: { path: '^services/[^/]+/src/', pathNot: 'src/(admit|app|auth|cors)\\.ts$|src/(published|routes)/|src/main\\.ts$' },
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
      name: 'insights-stages-declare-their-parts',
      severity: 'error',
      from: { path: '^services/insights/src/(rules|blocking|webhooks|usage|maintenance)/' },
      to: { path: '^services/insights/src/(context|open-context)\\.ts$' },
    },
    {
      name: 'functions-rooms-declare-their-parts',
      severity: 'error',
      comment: 'Only parts.ts of a room says which parts of the service the room uses. Its other files choose from these.',
      from: { path: '^services/functions/src/(approval|call|connect|mcp|sign-in)/', pathNot: '^services/functions/src/[^/]+/parts\\.ts$' },
      to: { path: '^services/functions/src/(context|open-context)\\.ts$' },
    },
    {
      name: 'parts-are-made-in-one-place',
      severity: 'error',
      comment: 'Only the runtime package opens connections, queues and HTTP clients. open-context.ts calls it.',
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
    // Only our own dist folders. Packages in node_modules whose entry file is in a dist folder must stay visible to the rules above.
    exclude: { path: '^(packages|services)/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json'],
    },
  },
}
