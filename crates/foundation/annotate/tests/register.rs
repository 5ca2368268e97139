//! What sounds like advertising, one line for each case.

use steadfast_annotate::promotional;

#[track_caller]
fn check(sentence: &str, expect: &[&str]) {
    let found: Vec<&str> = promotional(sentence).into_iter().map(|p| &sentence[p.range]).collect();
    assert_eq!(found, expect, "{sentence}");
}

#[test]
fn advertising() {
    check("A revolutionary kettle for all.", &["revolutionary"]);
    check("This is a game-changing boat.", &["game-changing"]);
    check("Our cutting-edge mill grinds.", &["cutting-edge"]);
    check("A state-of-the-art oven bakes bread.", &["state-of-the-art"]);
    check("The view is unparalleled.", &["unparalleled"]);
    check("The oven will redefine breakfast.", &["redefine"]);
    check("Imagine a town without noise.", &["Imagine a"]);
    check("Join us on the pier.", &["Join us"]);
    check("It is the world's first paper boat.", &["the world's first"]);
    check("It is the best bakery in town.", &["the best"]);
    check("It will be the first bakery in town.", &["the first"]);
    check("We are the only bakery in town.", &["the only"]);
    check("A groundbreaking and thrilling ride!", &["groundbreaking", "thrilling", "!"]);
    check("An exciting, visionary garden.", &["exciting", "visionary"]);
    check("Are you ready to sail?", &["Are you ready"]);
    check("Don't miss the fair.", &["Don't miss"]);
    check("A first-of-its-kind hut.", &["first-of-its-kind"]);
    check("The park is a beacon of calm.", &["beacon"]);
    check("This is not just a boat.", &["This is not just"]);
    check("Buy now!!", &["!"]);
}

#[test]
fn plain_plans() {
    check("The first phase ends in May.", &[]);
    check("The only risk is rain.", &[]);
    check("The budget is 40,000 euros.", &[]);
    check("Engage a lawyer by June.", &[]);
    check("An innovative lock is planned.", &[]);
    check("This is not a revolutionary kettle.", &[]);
    check("Do not use cutting-edge tools.", &[]);
    check("The best practice is to wait.", &[]);
    check("The first two weeks are for tests.", &[]);
    check("Best of all is rest.", &[]);
    check("The team can imagine a delay.", &[]);
    check("Stop!", &[]);
    check("It is one of the world's most crowded ports.", &[]);
    check("She is the ultimate owner.", &[]);
    check("Imagine the headline.", &[]);
    check("The boat is ready to sail.", &[]);
    check("Review the contract every month.", &[]);
    check("Costs may rise by ten per cent.", &[]);
    check("The largest hall seats 200.", &[]);
    check("It is the first of three halls.", &[]);
    check("", &[]);
}
