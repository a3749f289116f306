// SPDX-License-Identifier: Apache-2.0

// HTTPS client over libcurl and OpenSSL: the real `HTTPTransport`.
// One thread runs curl's multi handle; callers await. Redirects off, body cap, deadlines, address check at connect time.
// It must not know what the requests mean.
