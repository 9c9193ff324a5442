// A Rust program that uses the C library. library_test.py compiles it with rustc alone.
use std::ffi::{c_char, c_int, CStr, CString};
use std::ptr;

#[repr(C)]
struct Database {
    _private: [u8; 0],
}

extern "C" {
    fn prejoin_open(options: *const c_char, database: *mut *mut Database, error: *mut *mut c_char) -> c_int;
    fn prejoin_close(database: *mut Database);
    fn prejoin_call(database: *mut Database, operation: *const c_char, body: *const c_char, body_bytes: usize,
                    answer: *mut *mut c_char, answer_bytes: *mut usize) -> c_int;
    fn prejoin_free(text: *mut c_char);
}

fn text(made: *mut c_char) -> String {
    let copy = unsafe { CStr::from_ptr(made) }.to_str().unwrap().to_owned();
    unsafe { prejoin_free(made) };
    copy
}

struct Opened(*mut Database);

// The header allows calls from any number of threads at once.
unsafe impl Sync for Opened {}

impl Opened {
    fn new(options: &str) -> Result<Opened, String> {
        let options = CString::new(options).unwrap();
        let (mut database, mut error) = (ptr::null_mut(), ptr::null_mut());
        match unsafe { prejoin_open(options.as_ptr(), &mut database, &mut error) } {
            0 => Ok(Opened(database)),
            _ => Err(text(error)),
        }
    }

    fn call(&self, operation: &str, body: &str) -> (i32, String) {
        let operation = CString::new(operation).unwrap();
        let (mut answer, mut bytes) = (ptr::null_mut(), 0);
        let status = unsafe { prejoin_call(self.0, operation.as_ptr(), body.as_ptr().cast(), body.len(), &mut answer, &mut bytes) };
        (status, text(answer))
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        unsafe { prejoin_close(self.0) };
    }
}

fn main() {
    assert!(Opened::new(r#"{"pth": "x"}"#).is_err_and(|error| error.contains("pth")));
    let songs = Opened::new("{}").unwrap();
    let (status, answer) = songs.call("CreateTable", r#"{"TableName": "Songs", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}]}"#);
    assert_eq!(status, 200, "{answer}");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let songs = &songs;
            scope.spawn(move || {
                let put = format!(r#"{{"TableName": "Songs", "Item": {{"k": {{"S": "{number}"}}}}}}"#);
                assert_eq!(songs.call("PutItem", &put).0, 200);
            });
        }
    });
    assert!(songs.call("Scan", r#"{"TableName": "Songs", "Select": "COUNT"}"#).1.contains(r#""Count":8"#));
    let (status, answer) = songs.call("GetItem", "{}");
    assert!(status == 400 && answer.contains("ValidationException"), "{answer}");
    println!("0 failures");
}
