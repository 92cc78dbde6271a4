/** What an account of any of the business apps holds, whatever its scheme. */
export const businessAccount = {
  token: 'T',
  access_token: 'T',
  api_key: 'K',
  email: 'me@acme.com',
  api_token: 'A',
  username: 'u',
  password: 'p',
  instance_url: 'https://acme.my.salesforce.com',
  subdomain: 'acme',
  domain: 'acme',
  shop: 'acme',
  realm_id: '123',
  data_center: 'us6',
  business_account_id: '999',
  account_sid: `AC${'0'.repeat(32)}`,
}
