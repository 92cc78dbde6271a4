export * from './eventually.ts'
export * from './scripted-server.ts'
export * from './suite.ts'
export * from './test-parts.ts'
