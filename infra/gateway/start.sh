#!/bin/sh
# Writes the parts of nginx.conf that depend on the deployment, and starts nginx.
#
# GATEWAY_RESOLVER      address of the name server; default: the first one of /etc/resolv.conf
# GATEWAY_FUNCTIONS     name and port of functions; nginx looks up all its addresses every five seconds; default functions:4000
# GATEWAY_INSIGHTS      the same for insights; default insights:4001
# GATEWAY_BEHIND        what clients connect to. Nothing: the gateway itself. proxy-protocol: a load balancer that passes TCP through and
#                       sends the addresses of clients with the PROXY protocol. https-proxy: a proxy that terminates TLS, such as an Ingress
#                       controller; port 8088 then takes its plain HTTP, and port 8443 is closed
# GATEWAY_PROXIES       addresses or subnets of this load balancer or proxy, separated by spaces. From others, no address is accepted
# GATEWAY_READ_SECONDS  how long a service may take to respond; longer than CALL_TIMEOUT_MS; default 75
# GATEWAY_RELOAD_HOURS  reads the certificate again each time this many hours have passed; default never
set -eu

mkdir -p /tmp/gateway
cd /tmp/gateway

resolver=${GATEWAY_RESOLVER:-$(awk '$1 == "nameserver" { print $2; exit }' /etc/resolv.conf)}
case $resolver in
  *.*) ;;
  *) resolver="[$resolver]" ;;
esac
echo "resolver $resolver valid=5s ipv6=off;" > resolver.conf
echo "server ${GATEWAY_FUNCTIONS:-functions:4000} resolve max_fails=3 fail_timeout=5s;" > functions.conf
echo "server ${GATEWAY_INSIGHTS:-insights:4001} resolve max_fails=3 fail_timeout=5s;" > insights.conf
echo "proxy_read_timeout ${GATEWAY_READ_SECONDS:-75}s;" > timeout.conf

certificate='ssl_certificate /run/tls/fullchain.pem; ssl_certificate_key /run/tls/privkey.pem;'
{
  case ${GATEWAY_BEHIND:-} in
    '') echo "listen 8443 ssl default_server; $certificate" ;;
    proxy-protocol) echo "listen 8443 ssl proxy_protocol default_server; $certificate real_ip_header proxy_protocol;" ;;
    https-proxy) echo "listen 8088 default_server; real_ip_header X-Forwarded-For; real_ip_recursive on;" ;;
    *)
      echo "GATEWAY_BEHIND must be proxy-protocol, https-proxy or nothing, not \"$GATEWAY_BEHIND\"" >&2
      exit 1
      ;;
  esac
  for proxy in ${GATEWAY_PROXIES:-}; do echo "set_real_ip_from $proxy;"; done
} > listen.conf

if [ -n "${GATEWAY_RELOAD_HOURS:-}" ]; then
  while sleep "$((GATEWAY_RELOAD_HOURS * 3600))"; do nginx -e stderr -s reload; done &
fi
exec nginx -e stderr -g 'daemon off;'
