// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <curl/curl.h>
#include <malloc.h> // malloc_usable_size, for an allocator that wipes what curl frees

// Enumerations in curl 7.88 (Debian 12), macros in 8.14 (Debian 13), which Swift imports as different types.
static const long login_kiosk_curl_netrc_ignored = CURL_NETRC_IGNORED;
static const long login_kiosk_curl_tls_if_offered = CURLUSESSL_TRY;
static const long login_kiosk_curl_tls_only = CURLUSESSL_ALL;

// curl_easy_setopt, curl_easy_getinfo and their relatives are variadic, which Swift cannot call: one typed function
// each.
static inline CURLcode login_kiosk_curl_set_long(CURL *handle, CURLoption option, long value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode login_kiosk_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode login_kiosk_curl_set_string(CURL *handle, CURLoption option, const char *value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode login_kiosk_curl_set_pointer(CURL *handle, CURLoption option, void *value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode login_kiosk_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) { return curl_easy_setopt(handle, option, value); }
typedef size_t (*login_kiosk_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode login_kiosk_curl_set_data_callback(CURL *handle, CURLoption option, login_kiosk_curl_data_callback callback) { return curl_easy_setopt(handle, option, callback); }
typedef curl_socket_t (*login_kiosk_curl_open_socket_callback)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
static inline CURLcode login_kiosk_curl_set_open_socket_callback(CURL *handle, login_kiosk_curl_open_socket_callback callback) { return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback); }
typedef int (*login_kiosk_curl_before_request_callback)(void *context, char *peer, char *local, int peer_port, int local_port);
static inline CURLcode login_kiosk_curl_set_before_request_callback(CURL *handle, login_kiosk_curl_before_request_callback callback) { return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback); }
static inline CURLcode login_kiosk_curl_set_progress_callback(CURL *handle, curl_xferinfo_callback callback) { return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback); }
static inline CURLcode login_kiosk_curl_get_long(CURL *handle, CURLINFO info, long *value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode login_kiosk_curl_get_string(CURL *handle, CURLINFO info, char **value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode login_kiosk_curl_get_pointer(CURL *handle, CURLINFO info, void **value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode login_kiosk_curl_get_certificates(CURL *handle, struct curl_certinfo **value) { return curl_easy_getinfo(handle, CURLINFO_CERTINFO, value); }
static inline CURLMcode login_kiosk_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) { return curl_multi_setopt(handle, option, value); }
