import type { CallParts } from '../call/call.ts'
import type { Context } from '../context.ts'

/** The parts of the service that the MCP server uses. */
export type McpParts = CallParts & Pick<Context, 'applications' | 'prediction' | 'rateLimits'>
