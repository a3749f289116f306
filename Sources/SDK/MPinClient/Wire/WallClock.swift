// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's time of day. Times that a server announces are compared with the server's clock instead.
enum WallClock {
    /// Seconds since 1970-01-01 UTC.
    static func seconds() -> Int64 {
        Int64(time(nil))
    }
}
