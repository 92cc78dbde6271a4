import { noApplication } from '@onward/access'
import { getPolicy, putPolicy, testPolicy } from '@onward/contract'
import { refuseChanged, refuseProblems } from '@onward/runtime'
import { lockApplication, readRules, replaceRules, requireApplication } from '../../db/applications.ts'
import { problemsOfRules } from '../../policy/check-rules.ts'
import { testRules } from '../../policy/test-rules.ts'
import { route } from '../route.ts'

export const getPolicyRoute = route(getPolicy, async (ctx, { params }) => {
  return { rules: (await readRules(ctx.db, params.app_key)) ?? refuseUnknown() }
})

export const putPolicyRoute = route(putPolicy, async (ctx, { params, body, noteChange }) => {
  const { rules, if_unchanged: expected } = body
  refuseProblems(problemsOfRules(ctx.catalog.current.functions, rules))
  const before = await ctx.db.transaction().execute(async (tx) => {
    await lockApplication(tx, params.app_key)
    const stored = (await readRules(tx, params.app_key)) ?? refuseUnknown()
    refuseChanged(expected, { rules: stored })
    await replaceRules(tx, params.app_key, rules)
    return stored
  })
  ctx.applications.drop(params.app_key)
  noteChange({ rules: before }, body)
  return { rules }
})

export const testPolicyRoute = route(testPolicy, async (ctx, { params: { app_key: appKey }, body }) => {
  const { functions } = ctx.catalog.current
  refuseProblems(problemsOfRules(functions, body.rules))
  await requireApplication(ctx.db, appKey)
  return await testRules(ctx.slowDb, functions, appKey, body.rules)
})

function refuseUnknown(): never {
  throw noApplication()
}
