import * as endpoints from '@onward/contract'
import { redirectUriOf } from '../../config.ts'
import { adminRoute } from '../route.ts'

export const readSignInMethodsRoute = adminRoute(endpoints.readSignInMethods, async ({ config: { oidc } }) => ({
  single_sign_on: oidc === undefined ? null : { label: oidc.label },
}))

export const readSingleSignOnRoute = adminRoute(endpoints.readSingleSignOn, async ({ config: { oidc, publicUrl } }) => ({
  redirect_uri: publicUrl === undefined ? null : redirectUriOf(publicUrl),
  provider: oidc === undefined ? null : { issuer: oidc.issuer, client_id: oidc.clientId, label: oidc.label },
}))
