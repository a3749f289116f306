// SPDX-License-Identifier: Apache-2.0

// HTTPS client over libcurl and OpenSSL: the real `HTTPTransport`, named `CurlHTTPTransport`. One thread runs curl's
// multi handle (`TransferLoop`); callers await. Redirects off, reply cap, deadlines, and a look at the address before a
// socket is opened. `docs/network.md` tells the rules. It must not know what the requests mean.
