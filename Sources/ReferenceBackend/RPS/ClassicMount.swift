// SPDX-License-Identifier: Apache-2.0

/// One place of the public site where an RPS, a D-TA and a web site of their own speak one of the classic dialects.
struct ClassicMount: SiteMount {
    let dialect: Backend.Dialect
    let path: String
    let site: SiteDescription
}
