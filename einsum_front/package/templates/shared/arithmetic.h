/* The product of two numbers that are not negative; INT64_MAX if it is larger. */
int64_t @name@_times(int64_t left, int64_t right);

/* Their sum, likewise. */
int64_t @name@_plus(int64_t left, int64_t right);

/* Keep a message for this thread, and give the status back. */
@name@_status @name@_fail(@name@_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
