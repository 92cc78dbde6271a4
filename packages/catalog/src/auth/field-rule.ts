import { isHeaderText } from '../request/header-text.ts'
import type { Scheme } from '../types.ts'
import { compileFieldTemplate } from './field-template.ts'

type Rule = (value: string) => string | null

/** What a field's value must be because of where the scheme puts it. Its result is the problem; null = it fits. */
export function fieldRule(scheme: Scheme, name: string): Rule {
  switch (scheme.type) {
    case 'none':
      return () => null
    case 'bearer':
    case 'api_key':
      return inHeader
    case 'basic': {
      const names = compileFieldTemplate(scheme.username ?? '{username}').names
      return (value) => (names.includes(name) && value.includes(':') ? 'must not hold a colon' : null)
    }
    case 'custom': {
      const header = Object.values(scheme.headers ?? {}).some((text) => compileFieldTemplate(text).names.includes(name))
      const path = compileFieldTemplate(scheme.path ?? '').names.includes(name)
      return (value) => (header ? inHeader(value) : null) ?? (path ? inPath(value) : null)
    }
    case 'oauth2':
    case 'oauth2_client_credentials':
    case 'oauth2_jwt_bearer':
      if (name === 'expires_at') return asTime
      return name === 'access_token' ? inHeader : () => null
  }
}

function inHeader(value: string): string | null {
  return isHeaderText(value) ? null : "has characters that a header can't carry"
}

function inPath(value: string): string | null {
  return /^\.{1,2}$/.test(value) ? 'must not be "." or ".."' : null
}

function asTime(value: string): string | null {
  const shaped = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value)
  return shaped && !Number.isNaN(Date.parse(value)) ? null : 'must be an ISO date-time with its zone'
}
