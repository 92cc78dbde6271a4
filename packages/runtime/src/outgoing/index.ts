export * from './client.ts'
export * from './exchange.ts'
export * from './poster.ts'
export * from './url.ts'
