import { resealSecrets } from '@onward/contract'
import { reseal } from '@onward/runtime'
import { SEALED_COLUMNS } from '../../db/sealed-columns.ts'
import { route } from '../route.ts'

export const resealSecretsRoute = route(resealSecrets, (ctx) => reseal(ctx.slowDb, ctx.sealer, SEALED_COLUMNS))
