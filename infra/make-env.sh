#!/bin/sh
# Writes .env from .env.example, with new secrets, and with TLS_DIR and PUBLIC_URL for a first try. Never overwrites an existing .env,
# because stored secrets cannot be decrypted without its sealing keys.
set -eu
umask 077
cd "$(dirname "$0")/.."
set -C
while IFS= read -r line; do
  case $line in
    ADMIN_TOKEN= | *_PASSWORD=) line="$line$(openssl rand -hex 32)" ;;
    *_SEALING_KEYS=) line="${line}k1:$(openssl rand -base64 32)" ;;
    TLS_DIR=) line="$line./.onward/tls" ;;
    PUBLIC_URL=) line="${line}https://localhost" ;;
  esac
  printf '%s\n' "$line"
done < .env.example > .env
