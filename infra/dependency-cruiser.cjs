/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: ['(^|/)main\\.ts$', '\\.cjs$'] }, to: {} },
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
      name: 'express-at-the-edge',
      severity: 'error',
      from: { path: '^services/[^/]+/src/', pathNot: 'src/(app|auth)\\.ts$|src/routes/|src/main\\.ts$' },
      to: { path: 'node_modules/express/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
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
