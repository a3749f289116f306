// SPDX-License-Identifier: Apache-2.0

import BackendValues
import CCurl
import Encoding
import MPinServer

/// The reply of a D-TA with any status.
struct AuthorityReply: Sendable {
    let status: Int
    let body: [UInt8]
}

/// Sends one request at a time through libcurl, on a kept connection. `get` blocks until the deadline at most. The
/// caller ensures that calls do not overlap.
@safe final class AuthorityCurl: Sendable {
    // Safe: libcurl's own handle, made and freed here, used by one call at a time.
    private nonisolated(unsafe) let handle = unsafe curl_easy_init()

    deinit { if let handle = unsafe handle { unsafe curl_easy_cleanup(handle) } }

    /// - Parameters:
    ///   - certificates: PEM file of the authorities to trust; nil for the system's.
    ///   - end: the deadline for the whole reply.
    func get(
        _ url: String, certificates: String?, until end: ContinuousClock.Instant
    ) -> Result<AuthorityReply, AuthorityFault> {
        guard let handle = unsafe handle else { return .failure(.noReply("libcurl cannot be initialised")) }
        let left = (end - .now).wholeMilliseconds
        guard left > 0 else { return .failure(.late) }
        var isSet = true
        func set(_ option: CURLoption, _ value: Int) {
            isSet = unsafe login_kiosk_curl_set_long(handle, option, value) == CURLE_OK && isSet
        }
        // libcurl copies strings when they are set.
        func set(_ option: CURLoption, _ value: String?) {
            isSet = unsafe login_kiosk_curl_set_string(handle, option, value) == CURLE_OK && isSet
        }
        // This resets options only: connections are kept.
        unsafe curl_easy_reset(handle)
        set(CURLOPT_URL, url)
        set(CURLOPT_HTTPGET, 1)
        set(CURLOPT_PROTOCOLS_STR, url.hasPrefix("https:") ? "https" : "http")
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_HTTP09_ALLOWED, 0)
        set(CURLOPT_FOLLOWLOCATION, 0)
        // Ignore what the environment or a home directory could add.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_NETRC, login_kiosk_curl_netrc_ignored)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let certificates {
            set(CURLOPT_CAINFO, certificates)
            // Otherwise libcurl also trusts the system's directory of authorities.
            set(CURLOPT_CAPATH, nil)
        }
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TIMEOUT_MS, Int(left))
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(left))
        // A request on a connection that the D-TA has closed would cost a try.
        set(CURLOPT_MAXAGE_CONN, 10)
        let collector = ReplyCollector()
        isSet =
            unsafe login_kiosk_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
                // Safe: the context is the collector, which outlives the transfer, and there are size * count bytes.
                let collector = unsafe Unmanaged<ReplyCollector>.fromOpaque(context).takeUnretainedValue()
                let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                return unsafe collector.append(part) ? size * count : 0
            } == CURLE_OK && isSet
        isSet =
            unsafe login_kiosk_curl_set_pointer(
                handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(collector).toOpaque()) == CURLE_OK && isSet
        guard isSet else { return .failure(.noReply("libcurl does not know an option")) }
        let code = withExtendedLifetime(collector) { unsafe curl_easy_perform(handle) }
        guard code == CURLE_OK else { return .failure(Self.fault(code, isFull: collector.isFull)) }
        var status = 0
        unsafe login_kiosk_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return .success(AuthorityReply(status: status, body: collector.bytes))
    }

    private static func fault(_ code: CURLcode, isFull: Bool) -> AuthorityFault {
        // Safe: libcurl's texts are static.
        let reason = unsafe String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_OPERATION_TIMEDOUT: return .late
        case CURLE_WRITE_ERROR where isFull: return .replyTooLong
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            return .untrusted(reason)
        default: return .noReply(reason)
        }
    }
}

/// Collects the body of a reply from libcurl. It contains shares, so it is wiped.
private final class ReplyCollector {
    /// Ten times the length of a share's reply.
    private static let capacity = 4096

    private(set) var bytes: [UInt8] = []
    private(set) var isFull = false

    deinit { wipe(&bytes) }

    /// - Returns: false when the body exceeds the capacity.
    func append(_ part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= Self.capacity - bytes.count else {
            isFull = true
            return false
        }
        unsafe bytes.append(contentsOf: part)
        return true
    }
}
