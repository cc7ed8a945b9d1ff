// Provides the pkg-config flags of libcurl; CSegueCurl has the headers.
