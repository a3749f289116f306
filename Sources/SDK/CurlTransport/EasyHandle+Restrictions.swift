// SPDX-License-Identifier: Apache-2.0

import CCurl

extension EasyHandle {
    /// Takes away what curl would do beyond one request and one reply. Some of it is off by default and still named: a
    /// distribution may build curl with other defaults.
    func restrict(_ configuration: CurlHTTPTransport.Configuration) throws(CurlFailure) {
        // Reply statuses that would make curl go elsewhere or go again.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_HTTPAUTH, 0)
        // Settings that the user's environment or home directory could add.
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_NOPROXY, "*")
        try set(CURLOPT_NETRC, login_kiosk_curl_netrc_ignored)

        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        // HTTP/2 if the server chooses it in the TLS handshake (ALPN), else HTTP/1.1. No later upgrade is requested.
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        // The path as the trust policy and the SDK saw it, dots included.
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)

        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.authorityFile {
            try set(CURLOPT_CAINFO, file)
            // Without this the system's directory of authorities is trusted as well.
            try set(CURLOPT_CAPATH, nil)
        }

        try set(CURLOPT_CONNECTTIMEOUT_MS, 5000)
        // Time limits use no signals, and nothing waits for a resolver thread whose request has ended.
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_QUICK_EXIT, 1)
    }
}
