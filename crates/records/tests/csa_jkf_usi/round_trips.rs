//! What is written and read again is the record itself, less what the format cannot hold.

use proptest::prelude::*;
use tesuji_records::{csa, jkf, usi};

use crate::made_up::{kept_by_csa, kept_by_jkf, kept_by_usi, record};

proptest! {
    #[test]
    fn csa(record in record()) {
        let text = csa::write(&record).unwrap();
        prop_assert_eq!(csa::read(&text), Ok(kept_by_csa(&record)), "{}", text);
    }

    #[test]
    fn csa_with_several_games(records in prop::collection::vec(record(), 1..4)) {
        let texts: Vec<String> = records.iter().map(|record| csa::write(record).unwrap()).collect();
        let read = csa::read_all(&texts.join("/\n"));
        let expected: Vec<_> = records.iter().map(|record| Ok(kept_by_csa(record))).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn jkf(record in record()) {
        let text = jkf::write(&record).unwrap();
        prop_assert_eq!(jkf::read(&text), Ok(kept_by_jkf(&record)), "{}", text);
    }

    #[test]
    fn usi(record in record()) {
        let text = usi::write(&record).unwrap();
        prop_assert_eq!(usi::read(&text), Ok(kept_by_usi(&record)), "{}", text);
    }

    /// CSA and JKF agree on what they both hold.
    #[test]
    fn csa_to_jkf_and_back(record in record()) {
        let both = kept_by_csa(&kept_by_jkf(&record));
        let through_csa = csa::read(&csa::write(&both).unwrap()).unwrap();
        let through_jkf = jkf::read(&jkf::write(&through_csa).unwrap()).unwrap();
        prop_assert_eq!(csa::write(&through_jkf), csa::write(&both));
    }
}
