// SPDX-License-Identifier: Apache-2.0

// The backend's web server: bounds for strangers in front of hummingbird, clients' addresses, cookies, polls that are
// held. It knows nothing of logins.
