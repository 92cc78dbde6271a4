import { type RouteOf, routesOf } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'

export const route: RouteOf<Context, Caller> = routesOf()
