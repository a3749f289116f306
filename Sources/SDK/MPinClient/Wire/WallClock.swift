// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's time of day. Only signatures need it: everything else uses the server's clock.
enum WallClock {
    /// Seconds since 1970-01-01 UTC.
    static func seconds() -> Int64 {
        Int64(time(nil))
    }
}
