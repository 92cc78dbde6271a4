/** The values of the contract that a browser may load: nothing here imports a schema. */
export * from './accents.ts'
export * from './access.ts'
export * from './called.ts'
export * from './task-hours.ts'
