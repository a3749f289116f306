// SPDX-License-Identifier: Apache-2.0

// HTTPS client over libcurl and OpenSSL: the real `HTTPTransport`, named `CurlHTTPTransport`. One thread runs curl's
// multi handle (`TransferLoop`); callers await. Redirects are off, replies and times are bounded, and the address is
// checked before a socket is opened: see `docs/network.md`. The module must not know the meaning of the requests.
