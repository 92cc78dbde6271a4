import { listQuarantined } from '@onward/contract'
import { route } from '../route.ts'

export const listQuarantinedRoute = route(listQuarantined, async (ctx) => ({
  quarantined: ctx.catalog.current.functions.quarantined.map((each) => ({ ...each, problems: [...each.problems] })),
}))
