// SPDX-License-Identifier: Apache-2.0

/// What is computed for a case of each file, and compared with the fields of the case.
enum Checks {}
