    ! What the last call of this thread that failed has to say; it ends with a null character.
    function message() result(text) bind(c, name="@name@_message")
      import
      type(c_ptr) :: text
    end function message
