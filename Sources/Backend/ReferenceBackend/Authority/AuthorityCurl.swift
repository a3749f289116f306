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
        // This resets options only: connections are kept.
        unsafe curl_easy_reset(handle)
        let collector = ReplyCollector()
        var options = unsafe CurlOptions(of: handle)
        options.isolate()
        options.trust(certificates)
        options.request(url, within: Int(left))
        options.collectReply(in: collector)
        guard options.isSound else { return .failure(.noReply("libcurl does not know an option")) }
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

extension CurlOptions {
    /// The time in seconds after which an idle connection is not used again, because the D-TA may have closed it.
    private static let longestPause = 10

    /// - Parameter limit: milliseconds for the whole reply.
    fileprivate mutating func request(_ url: String, within limit: Int) {
        set(CURLOPT_URL, url)
        set(CURLOPT_HTTPGET, 1)
        set(CURLOPT_PROTOCOLS_STR, url.hasPrefix("https:") ? "https" : "http")
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_HTTP09_ALLOWED, 0)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_TIMEOUT_MS, limit)
        set(CURLOPT_CONNECTTIMEOUT_MS, limit)
        set(CURLOPT_MAXAGE_CONN, Self.longestPause)
    }

    /// - Parameter collector: outlives the transfer.
    fileprivate mutating func collectReply(in collector: ReplyCollector) {
        unsafe set(CURLOPT_WRITEDATA, context: collector)
        unsafe set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
            // Safe: the context is the collector, which outlives the transfer, and there are size * count bytes.
            let collector = unsafe Unmanaged<ReplyCollector>.fromOpaque(context).takeUnretainedValue()
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            return unsafe collector.append(part) ? size * count : 0
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
