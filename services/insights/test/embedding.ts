import request from 'supertest'
import type { Insights, Workspace } from './insights.ts'

export const PARENT = 'https://app.example.com'

/** The partner API and the page's API, for sessions of embedded pages. */
export function useEmbedding(insights: Insights, workspace: Workspace) {
  const path = (rest = '', appKey = workspace.appKey) => `/partners/api/insights/embed-sessions${rest}?app_key=${appKey}`

  const create = (body: object = {}, appKey?: string) =>
    workspace.send('post', path('', appKey)).send({ user_id: 'joe', views: ['usage'], ...body })
  const redeem = (sessionId: string, code: string) =>
    request(insights.url).post('/embed/api/insights/redeem').send({ session_id: sessionId, code })

  return {
    create,
    redeem,
    end: (sessionId: string) => workspace.send('delete', `/partners/api/insights/embed-sessions/${sessionId}`),
    endMany: (body: object, appKey?: string) => workspace.send('post', path('/end', appKey)).send(body),
    allow: (embed_origins: string[]) =>
      insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, embed_origins }).expect(200),
    page: (sessionId: string) => request(insights.url).get(`/embed/${sessionId}`),
    /** Makes a link and opens it. Returns the id of the session and the token of the page. */
    async open(body?: object) {
      const { session_id: id, url } = (await create(body).expect(200)).body
      const opened = (await redeem(id, codeOf(url)).expect(200)).body
      return { id: id as string, token: opened.token as string, opened }
    },
    usage: (token: string) => request(insights.url).get('/embed/api/insights/usage').set('authorization', `Bearer ${token}`),
    access: (token: string) => request(insights.url).post('/embed/api/insights/access').set('authorization', `Bearer ${token}`),
  }
}

export function codeOf(url: string): string {
  return /#code=([\w-]{43})$/.exec(url)?.[1] ?? ''
}
