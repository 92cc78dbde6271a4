import { noApplication } from '@onward/access'
import { getPolicy, putPolicy, testPolicy } from '@onward/contract'
import { refuseProblems } from '@onward/runtime'
import { readRules, replaceRules, requireApplication } from '../../db/applications.ts'
import { problemsOfRules } from '../../policy/check-rules.ts'
import { testRules } from '../../policy/test-rules.ts'
import { route } from '../route.ts'

export const getPolicyRoute = route(getPolicy, async (ctx, { params }) => {
  return { rules: (await readRules(ctx.db, params.app_key)) ?? refuseUnknown() }
})

export const putPolicyRoute = route(putPolicy, async (ctx, { params, body, noteChange }) => {
  refuseProblems(problemsOfRules(ctx.catalog.current.functions, body.rules))
  const before = (await readRules(ctx.db, params.app_key)) ?? refuseUnknown()
  if (!(await replaceRules(ctx.db, params.app_key, body.rules))) refuseUnknown()
  ctx.applications.drop(params.app_key)
  noteChange({ rules: before }, body)
  return { rules: body.rules }
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
