// Brings the pkg-config flags of libcurl; CCurl has the headers.
